# vilmart_figure1.gp - the motion of the book.
J1 = 0.376
J2 = 0.627
J3 = 1
moments = '0.376 0.627 1'
cut = 0
selected(i) = strcol('kind') eq 'path'
load 'motion.gp'
