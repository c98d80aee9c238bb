"""How many cases of an op a test draws."""


def count_of(request, fast, slow):
    """The number of the tier that runs, or less if `--cases` says so."""
    config = request.config
    count = slow if config.getoption("--slow") else fast
    return min(count, config.getoption("--cases") or count)
