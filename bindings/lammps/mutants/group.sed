# Attitudes written as if the bodies of a block were neighbours in memory.
# file: fix_nve_polhode.cpp
# seen by: group
s/next < n \&\& atoms\[next\] == atoms\[next - 1\] + 1;/next < n;/
