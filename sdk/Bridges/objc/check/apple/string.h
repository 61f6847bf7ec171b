/* What of string.h the bridge and the class below a delegate's use. */
unsigned long strlen(const char *text);
int strncmp(const char *a, const char *b, unsigned long count);
