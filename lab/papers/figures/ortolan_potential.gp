# ortolan_potential.gp - the potential in two planes through the ball.
look = 'map'
legend = 0
panels = 2
load 'canvas.gp'
xcol = 'a'
ycol = 'b'
high = 'value'
ztext = 'potential U'
zlow = -1; zhigh = 3.5
selected(i) = strcol('plane') eq plane
xtext = 'v_x in rad'
plane = 'z = 0'
heading = 'Plane z = 0, seen from (0, 0, 1)'
ytext = 'v_y in rad'
load 'panel.gp'
plane = 'y = 0'
heading = 'Plane y = 0, seen from (0, 1, 0)'
ytext = 'v_z in rad'
load 'panel.gp'
unset multiplot
