# copy.tcl BIG TEXT OUT - copies in each way that tcl has.
lassign $argv big text out
file copy $big $out/tcl-copy
set i [open $big rb]
set o [open $out/tcl-fcopy wb]
fcopy $i $o
close $o
seek $i 12345
set o [open $out/tcl-read wb]
while {[string length [set block [read $i 100003]]]} {
	puts -nonewline $o $block
}
close $o
close $i
set i [open $text]
set o [open $out/tcl-lines w+]
while {[gets $i line] >= 0} {
	puts $o "[tell $i] $line"
}
seek $o -3000 end
puts -nonewline $o "in place"
seek $o 100
puts [gets $o]
chan truncate $o 4000001
close $o
