"""Lists of items: which items does a page hold, how many are there, and what is each of them?

A page never costs more than it should, whatever is asked for together. An index that already has
the wanted order leads, and a bounded number of its entries is looked at (``leads``). What is rare
and has an index without an order is gathered and sorted instead (``candidates``). When both give
up, the page holds what was found so far, and the next one goes on behind it.
"""
