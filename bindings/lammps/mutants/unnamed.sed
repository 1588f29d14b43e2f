# Replaced fixes are named at every run, and other styles are allowed.
# file: fix_nve_polhode.cpp
# seen by: log
s/named.insert(name).second/true/
s/own \&\& strict/false/
