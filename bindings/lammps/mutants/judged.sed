# A script is judged by its last run alone.
# file: fix_nve_polhode.cpp
# seen by: log
s/had_exact = had_exact || exact;/had_exact = exact;/
