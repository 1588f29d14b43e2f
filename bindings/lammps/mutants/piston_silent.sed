# No checks of what a barostat needs.
# file: common.cpp
# seen by: refusals
s/^        barostat.init(fix);/        (void)fix;/
