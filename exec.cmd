@rem npm scripts begin with "exec", so that on Unix signals reach Node itself; cmd looks for a command of that name here.
@%*
