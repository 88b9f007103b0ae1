"""What the user's words get wrong, told from what the module cannot be."""


class Problem(Exception):
    """A flag or a file that is not as it must be, in a sentence that says what was expected."""
