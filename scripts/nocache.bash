# shellcheck shell=bash
# nocache.bash - how bash completes the words of nocache and nocache-report; to be sourced.
#
# Works without the bash-completion package; with it, the words of COMMAND are completed as they
# are without nocache in front.

# Replies with those of the words given that begin with $1.
_nocache_words() {
	local begin=$1
	shift
	mapfile -t COMPREPLY < <(compgen -W "$*" -- "$begin")
}

_nocache_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_nocache_programs() {
	mapfile -t COMPREPLY < <(compgen -c -- "$1")
}

# The last part of a list with commas, $2, by the words that follow; what stands before it stays.
_nocache_list() {
	local separator=$1 list=$2 before=''
	shift 2
	[[ $list != *"$separator"* ]] || before=${list%"$separator"*}$separator
	_nocache_words "${list##*"$separator"}" "$@"
	COMPREPLY=("${COMPREPLY[@]/#/$before}")
}

_nocache_policies='auto direct dontneed dontcache noreuse dsync buffered observe off'
_nocache_options='window= block= depth= relaxed keep nokeep'
_nocache_conditions='size>= size< mode= fs= prog='

# A policy; after a comma, its options.
_nocache_policy() {
	compopt -o nospace 2>/dev/null
	case $1 in
	*,*) _nocache_list , "$1" "$_nocache_options" ;;
	*) _nocache_words "$1" "$_nocache_policies" ;;
	esac
}

# A rule: whole ones to begin with, then its words one after the other. Where a quote is open,
# readline wants what stands behind it.
_nocache_rule() {
	local rule=${1#[\'\"]} before
	compopt -o nospace 2>/dev/null
	case $1,$rule in
	,) COMPREPLY=("'* auto'" "'*.iso direct'" "'/var/lib/** off'" "'* size>=1G auto'") ;;
	*,*[[:blank:]]*)
		before=${rule%[[:blank:]]*}' '
		case ${rule##*[[:blank:]]} in
		*,*) _nocache_list , "${rule##*[[:blank:]]}" "$_nocache_options" ;;
		*) _nocache_words "${rule##*[[:blank:]]}" "$_nocache_conditions" "$_nocache_policies" ;;
		esac
		COMPREPLY=("${COMPREPLY[@]/#/$before}") ;;
	*) _nocache_files "$rule" ;;
	esac
}

# Sets wanted to the option whose value the word at hand is, or to nothing; operand to where
# the first word that is no option stands.
_nocache_look() {
	local word letters
	wanted='' operand=1
	while ((operand < COMP_CWORD)); do
		word=${COMP_WORDS[operand]}
		case $word in
		--) ((operand++)); return ;;
		--check | --probe) asked=$word ;;
		--*) ;;
		-?*)
			letters=${word#-}
			letters=${letters#"${letters%%[lnpRr]*}"}
			if [[ ${#letters} = 1 ]]; then
				((++operand < COMP_CWORD)) || wanted=$letters
			fi
			# Bash takes the `=` of direct,block=1M for a word.
			while [[ ${COMP_WORDS[operand + 1]-} = = ]]; do ((operand += 2)); done ;;
		*) return ;;
		esac
		((operand++))
	done
}

_nocache() {
	local word=${COMP_WORDS[COMP_CWORD]} wanted operand asked=''
	COMPREPLY=()
	_nocache_look
	case $wanted in
	p) _nocache_policy "$word" ;;
	r) _nocache_rule "$word" ;;
	l) _nocache_files "$word"
		[[ stderr != "$word"* ]] || COMPREPLY+=(stderr) ;;
	R) _nocache_files "$word" ;;
	n) ;;
	*) _nocache_operand "$word" ;;
	esac
}

# What is no option's value: an option, or a word of COMMAND.
_nocache_operand() {
	if [[ $1 = -* ]] && ((operand >= COMP_CWORD)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} != -- ]]; then
		_nocache_words "$1" -p -r -R -l -j -s --summary -f -n --check --probe -V --version -h --help
	elif [[ $asked = --probe ]]; then
		_nocache_files "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$operand"
	elif ((operand >= COMP_CWORD)) && [[ $1 != */* ]]; then
		_nocache_programs "$1"
	else
		_nocache_files "$1"
	fi
}

_nocache_report() {
	local word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))
	COMPREPLY=()
	# Bash takes the `=` of --by=GROUP for a word.
	if [[ $word = = ]]; then
		word=''
	elif [[ ${COMP_WORDS[at]} = = ]]; then
		((at--))
	fi
	case ${COMP_WORDS[at]} in
	--by) _nocache_list , "$word" program policy reason file process ;;
	--top) ;;
	--html) _nocache_files "$word" ;;
	*)
		case $word in
		-*) _nocache_words "$word" --by --top -s --summary --html -j -V --version -h --help ;;
		*) _nocache_files "$word" ;;
		esac ;;
	esac
}

complete -F _nocache nocache
complete -F _nocache_report nocache-report
