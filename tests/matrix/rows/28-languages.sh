# shellcheck shell=sh
# Copies by each way of python, perl, ruby, node, java and php: sendfile, copy_file_range, syscall(), maps.
packages python3 perl ruby nodejs openjdk-17-jdk-headless php-cli tcl lua5.4

prepare() {
	big in/big
	text in/text
	javac -d in "$HERE/copies/Copy.java"
	aged in/Copy.class
}

run_python() { /usr/bin/python3 "$HERE/copies/copy.py" in/big in/text out; }
run_perl() { perl "$HERE/copies/copy.pl" in/big in/text out; }
run_ruby() { ruby "$HERE/copies/copy.rb" in/big in/text out; }
run_node() { node "$HERE/copies/copy.js" in/big in/text out; }
run_java() { java -Xmx256m -cp in Copy in/big in/text out; }
run_php() { php "$HERE/copies/copy.php" in/big in/text out; }
run_tcl() { tclsh "$HERE/copies/copy.tcl" in/big in/text out; }
run_lua() { lua5.4 "$HERE/copies/copy.lua" in/big in/text out; }
