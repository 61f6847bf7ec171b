/* The package manager asks for one source in a C target; what this one holds is its header. */
