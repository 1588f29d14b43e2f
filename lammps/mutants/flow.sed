# Another flow than the one asked for.
# file: fix_nve_polhode.cpp
# seen by: once preload
s/ph_flow_named(name,/ph_flow_named("sr2",/
