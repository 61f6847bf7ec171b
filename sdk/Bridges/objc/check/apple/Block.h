/* The two functions of Apple's Block.h that the bridge uses. */
void *_Block_copy(const void *block);
void _Block_release(const void *block);
