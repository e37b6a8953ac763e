"""Imports what every process needs, without a look for garbage in it: two fifths of a start.

What is imported stays, so it is left out of every later look as well.
"""

import gc
from importlib import import_module

gc.disable()
import_module("bootstrap.application")
gc.freeze()
gc.enable()
