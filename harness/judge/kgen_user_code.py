"""What a user's Python does to whoever runs it: files that do not finish loading, results that are none. Needs neither torch nor
numpy."""
import contextlib
import inspect
import signal

LOAD_LIMIT_S = 30


class NotLoaded(BaseException):
    """A file's own code still runs when its time is over. No Exception: what a file catches is meant to be others."""


def is_importing_a_package(frame):
    """Whether a package that is installed is being imported, torch from a cold disk perhaps: its time is not the file's."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and ("site-packages" in code.co_filename or "dist-packages" in code.co_filename):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def load_limit(limit_s=None):
    """Around the execution of a user's file, in the main thread. Raises NotLoaded at the line where its code still is after
    `limit_s` seconds (LOAD_LIMIT_S where none is given); an installed package that is being imported then gets as long again."""
    seconds = LOAD_LIMIT_S if limit_s is None else limit_s

    def over(_, frame):
        if not is_importing_a_package(frame):
            raise NotLoaded(f"did not finish loading within {seconds:g} s: what the file does when it is imported does not end (a loop, "
                            "a wait, a download); move that into a function")
    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def no_result(value):
    """Why what a forward gave cannot be a result, in words that follow on "forward"; empty: it may be one."""
    if inspect.iscoroutine(value):
        value.close()  # it is never awaited, and Python need not say so
        return "is async and gave a coroutine; define it with def alone"
    if inspect.isgenerator(value) or inspect.isasyncgen(value):
        return "yields and gave a generator; return the results instead"
    if value is None:
        return "returned None; is its return missing?"
    return ""
