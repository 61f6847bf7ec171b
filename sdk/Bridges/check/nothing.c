/* Compiled with one header before it, to see that the header needs nothing else. */
typedef int nothing;
