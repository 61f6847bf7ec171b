/* The one function of string.h that the bridge uses. */
unsigned long strlen(const char *text);
