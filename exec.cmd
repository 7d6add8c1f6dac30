@rem package.json starts programs with the shell's `exec`, which Windows lacks.
@%*
