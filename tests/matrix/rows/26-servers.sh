# shellcheck shell=sh
# nginx, vsftpd under the shim: sendfile, directio, threads, chroot, daemons. Their clients are not.
packages nginx-light vsftpd curl
apart 'nginx_sendfile nginx_read nginx_directio nginx_aio vsftpd' 'the clients run without, and hold the copies'

prepare() {
	big in/big
	text in/text
	chmod 755 .
}

client() { env -u LD_PRELOAD curl -sS "$@"; }

# nginx_with DIRECTIVE...: fetches all from an nginx that serves with it.
nginx_with() {
	cat >nginx.conf <<-END
	user nobody nogroup;
	pid $PWD/nginx.pid;
	error_log $PWD/nginx.log;
	worker_processes 2;
	events { }
	http {
		log_format plain '\$request \$status \$body_bytes_sent';
		access_log $PWD/out/access plain;
		client_body_temp_path $PWD/out/body;
		client_max_body_size 1g;
		server { listen 127.0.0.1:8080; root $PWD/in; $* }
	}
	END
	nginx -c "$PWD/nginx.conf"
	await listening 8080
	client http://127.0.0.1:8080/big -o out/big
	client http://127.0.0.1:8080/text -o out/text
	client -r 12345-3000000 http://127.0.0.1:8080/big -o out/part
	pid=$(cat nginx.pid)
	kill -s QUIT "$pid"
	await ended "$pid"
	rm -rf out/body
}

run_nginx_sendfile() { nginx_with 'sendfile on; sendfile_max_chunk 1m;'; }
run_nginx_read() { nginx_with 'sendfile off; output_buffers 2 100k;'; }
run_nginx_directio() { nginx_with 'sendfile off; directio 1m;'; }
run_nginx_aio() { nginx_with 'aio threads; sendfile off;'; }

run_vsftpd() {
	mkdir out/empty
	cat >vsftpd.conf <<-END
	listen=YES
	background=NO
	listen_address=127.0.0.1
	listen_port=2121
	anonymous_enable=YES
	local_enable=NO
	anon_root=$PWD/in
	ftp_username=ftp
	nopriv_user=nobody
	secure_chroot_dir=$PWD/out/empty
	no_anon_password=YES
	xferlog_enable=NO
	seccomp_sandbox=NO
	isolate_network=NO
	END
	vsftpd "$PWD/vsftpd.conf" &
	await listening 2121
	client ftp://127.0.0.1:2121/big -o out/big
	client ftp://127.0.0.1:2121/text -o out/text
	client -C 5000001 ftp://127.0.0.1:2121/big -o out/rest
	kill $!
}
