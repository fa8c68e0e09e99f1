# shellcheck shell=sh
# curl, wget, aria2 from a web server on loopback, and file://: stdio, fallocate, writes at random places.
packages curl wget aria2 nginx-light
apart 'curl curl_resume wget wget_resume aria2 aria2_prealloc' 'the server, which runs without, holds its file'

url=http://127.0.0.1:8080

prepare() {
	big in/big
	text in/text
	mkdir nginx
	cat >nginx/conf <<-END
	user root;
	pid $PWD/nginx/pid;
	error_log $PWD/nginx/error;
	events { }
	http { access_log off; server { listen 127.0.0.1:8080; root $PWD/in; } }
	END
}

# The server is not shimmed: it is another's.
serve() {
	listening 8080 || nginx -c "$PWD/nginx/conf"
	await listening 8080
}

run_curl_file() { curl -sS "file://$PWD/in/big" -o out/big && curl -sS "file://$PWD/in/text" >out/text; }

before_curl() { serve; }
run_curl() { curl -sSR $url/big -o out/big && curl -sS -r 1000-3001000 $url/big >out/part; }

before_curl_resume() { serve && head -c $((SIZE / 3 + 1)) in/big >out/big; }
run_curl_resume() { curl -sS -C - $url/big -o out/big; }

before_wget() { serve; }
run_wget() { wget -nv -P out $url/big && wget -q -O - $url/text >out/text; }
mask_wget() { sed 's/^[0-9: -]*//'; }

before_wget_resume() { serve && head -c $((SIZE / 3 + 1)) in/big >out/big; }
run_wget_resume() { wget -q -c -P out $url/big; }

before_aria2() { serve; }
run_aria2() { aria2c -q -x 4 -s 4 -k 1M -d out $url/big; }
run_aria2_prealloc() { aria2c -q -x 4 -s 4 -k 1M --file-allocation=falloc --allow-overwrite -d out $url/big; }
