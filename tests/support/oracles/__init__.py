"""Small programs that ask the real libraries, each inside its own environment, for metrics that no adapter asks for.

Each module ``ask_<library>.py`` has ``answers(case, k)``, which gives the library's own numbers by the name of its
function. They load beside old releases of numpy and pandas, and import nothing of the project but what the case says.
"""
