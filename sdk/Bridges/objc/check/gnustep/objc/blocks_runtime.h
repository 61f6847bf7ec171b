/* GNUstep's headers look here, where another runtime than gcc's has it, for what Swift's Block.h declares. */
#include <Block.h>
