// The engine's header tool writes this file.
