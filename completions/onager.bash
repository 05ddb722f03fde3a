# Completions of siege, its companions and onager for bash: source this file.
# Made from the option tables by scripts/generate-docs.mjs; change it there.

# Sets cur, the text to complete; option, the word it may be the value of; and
# joined, which is "=" when it stands behind an equals sign.
_onager_start() {
  cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} joined= lead=
  if [[ $cur == = ]]; then
    cur= joined==
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]} joined==
  elif [[ $cur == -*=* ]]; then
    # "=" is none of COMP_WORDBREAKS here, so the answer replaces the whole word.
    lead=${cur%%=*}= option=${cur%%=*} cur=${cur#*=} joined==
  fi
}

# Whether "--" stands before the cursor: options are over.
_onager_is_past_dashes() {
  local at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ ${COMP_WORDS[at]} == -- ]] && return 0
  done
  return 1
}

_onager_words() {
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -P "$lead" -W "$1" -- "$cur"))
}

_onager_files() {
  # readline itself knows best about blanks, quotes and folders.
  if [[ -z $lead ]] && compopt -o default 2>/dev/null; then
    COMPREPLY=()
  else
    local IFS=$'\n'
    COMPREPLY=($(compgen -P "$lead" -f -- "$cur"))
  fi
}

_onager_urls() {
  compopt -o nospace 2>/dev/null
  _onager_words 'http:// https://'
}

_onager_urls_or_files() {
  _onager_urls
  if ((${#COMPREPLY[@]} == 0)); then
    compopt +o nospace 2>/dev/null
    _onager_files
  else
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}

_onager_run() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_urls_or_files; return; fi
  case "$option$joined" in
    -u | --users | -u= | --users=) return ;;
    -r | --rate | -r= | --rate=) return ;;
    -d | --duration | -d= | --duration=) return ;;
    -n | --count | -n= | --count=) return ;;
    --stages | --stages=) return ;;
    --arrivals | --arrivals=) _onager_words 'even poisson'; return ;;
    --max-in-flight | --max-in-flight=) return ;;
    --think | --think=) return ;;
    --warm-up | --warm-up=) return ;;
    --drain | --drain=) return ;;
    -f | --file | -f= | --file=) _onager_files; return ;;
    --base-url | --base-url=) return ;;
    --order | --order=) _onager_words 'in-order random once'; return ;;
    -m | --method | -m= | --method=) _onager_words 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'; return ;;
    -H | --header | -H= | --header=) return ;;
    -b | --body | --data | -b= | --body= | --data=) return ;;
    -T | --content-type | -T= | --content-type=) return ;;
    --var | --var=) return ;;
    --timeout | --timeout=) return ;;
    --ca | --ca=) _onager_files; return ;;
    --cert | --cert=) _onager_files; return ;;
    --key | --key=) _onager_files; return ;;
    --threads | --threads=) return ;;
    --pin | --pin=) return ;;
    --reactor | --reactor=) _onager_words 'auto uring epoll node'; return ;;
    --connect-rate | --connect-rate=) return ;;
    --source | --source=) return ;;
    --seed | --seed=) return ;;
    --slo | --slo=) return ;;
    --title | --title=) return ;;
    -o | --out | -o= | --out=) _onager_files; return ;;
    --html | --html=) _onager_files; return ;;
    --watch | --watch=) return ;;
    --prometheus | --prometheus=) return ;;
    --otlp | --otlp=) return ;;
  esac
  case "$cur" in
    -*) _onager_words '-u --users -r --rate -d --duration -n --count --stages --arrivals --max-in-flight --think --warm-up --drain -f --file --base-url --order -m --method -H --header -b --body --data -T --content-type --var --follow-redirects --cookies --resources --timeout --no-keep-alive -k --insecure --ca --cert --key --threads --pin --reactor --connect-rate --source --seed --slo --abort-on-slo --title -o --out --html --json -q --quiet --watch --prometheus --otlp --print-plan --print-schema -h --help' ;;
    *) _onager_urls_or_files ;;
  esac
}

_onager_siege() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_urls; return; fi
  case "$option$joined" in
    -c | --concurrent | -c= | --concurrent=) return ;;
    -r | --reps | -r= | --reps=) _onager_words 'once'; return ;;
    -t | --time | -t= | --time=) _onager_words '30S 1M 5M 1H'; return ;;
    -d | --delay | -d= | --delay=) return ;;
    --threads | --threads=) return ;;
    --pin | --pin=) return ;;
    --connect-rate | --connect-rate=) return ;;
    --source | --source=) return ;;
    --reactor | --reactor=) _onager_words 'auto uring epoll node'; return ;;
    --seed | --seed=) return ;;
    -f | --file | -f= | --file=) _onager_files; return ;;
    -H | --header | -H= | --header=) return ;;
    -A | --user-agent | --agent | -A= | --user-agent= | --agent=) return ;;
    -T | --content-type | -T= | --content-type=) _onager_words 'application/json application/x-www-form-urlencoded text/plain text/xml'; return ;;
    --timeout | --timeout=) return ;;
    --proxy | --proxy=) return ;;
    --ca | --ca=) _onager_files; return ;;
    --tls-min | --tls-min=) _onager_words '1.0 1.1 1.2 1.3'; return ;;
    --tls-max | --tls-max=) _onager_words '1.0 1.1 1.2 1.3'; return ;;
    --html | --html=) _onager_files; return ;;
    -l= | --log=) _onager_files; return ;;
    -m | --mark | -m= | --mark=) return ;;
    --watch | --watch=) return ;;
    -R | --rc | -R= | --rc=) _onager_files; return ;;
  esac
  case "$cur" in
    -*) _onager_words '-c --concurrent -r --reps -t --time -d --delay -b --benchmark -i --internet --threads --pin --connect-rate --source --reactor --seed -f --file -H --header -A --user-agent --agent -T --content-type --timeout -N --no-parser -F --no-follow --proxy --proxy-from-env --verify --ca --tls-min --tls-max --tls-resume -v --verbose -q --quiet -j --json-output --classic -D --debug --no-color --html -l --log -m --mark --watch -g --get -p --print -R --rc -C --config -V --version -h --help' ;;
    *) _onager_urls ;;
  esac
}

_onager_ab() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_urls; return; fi
  case "$option$joined" in
    -n | -n=) return ;;
    -c | -c=) return ;;
    -t | -t=) return ;;
    -s | -s=) return ;;
    -b | -b=) return ;;
    -B | -B=) return ;;
    -p | -p=) _onager_files; return ;;
    -u | -u=) _onager_files; return ;;
    -T | -T=) return ;;
    -C | -C=) return ;;
    -H | -H=) return ;;
    -A | -A=) return ;;
    -P | -P=) return ;;
    -X | -X=) return ;;
    -m | -m=) return ;;
    -v | -v=) return ;;
    -x | -x=) return ;;
    -y | -y=) return ;;
    -z | -z=) return ;;
    -g | -g=) _onager_files; return ;;
    -e | -e=) _onager_files; return ;;
    -Z | -Z=) return ;;
    -f | -f=) return ;;
    -E | -E=) _onager_files; return ;;
    --threads | --threads=) return ;;
    --pin | --pin=) return ;;
    --reactor | --reactor=) return ;;
    --html | --html=) _onager_files; return ;;
  esac
  case "$cur" in
    -*) _onager_words '-n -c -t -s -b -B -r -p -u -T -i -C -H -A -P -X -k -m -v -w -x -y -z -V -d -S -q -l -g -e -h -I -Z -f -E --http1.1 --threads --pin --reactor --verify --classic --json --html --help' ;;
    *) _onager_urls ;;
  esac
}

_onager_report() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_files; return; fi
  case "$option$joined" in
    -f | --format | -f= | --format=) _onager_words 'text json csv csv-names markdown junit html hgrm hgrm-service'; return ;;
    -o | --output | -o= | --output=) _onager_files; return ;;
    --slo | --slo=) return ;;
  esac
  case "$cur" in
    -*) _onager_words '-f --format -o --output --slo -h --help' ;;
    *) _onager_files ;;
  esac
}

_onager_serve() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then :; return; fi
  case "$option$joined" in
    -p | --port | -p= | --port=) return ;;
    --host | --bind | --host= | --bind=) return ;;
  esac
  case "$cur" in
    -*) _onager_words '-p --port --host --bind -h --help' ;;
    *) : ;;
  esac
}

_onager_record() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then :; return; fi
  case "$option$joined" in
    -o | --output | -o= | --output=) _onager_files; return ;;
    --host-only | --host-only=) return ;;
    --method | --method=) _onager_words 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'; return ;;
    --include | --include=) return ;;
    --exclude | --exclude=) return ;;
    -p | --port | -p= | --port=) return ;;
    --bind | --host | --bind= | --host=) return ;;
    -t | --timeout | -t= | --timeout=) return ;;
  esac
  case "$cur" in
    -*) _onager_words '-o --output --unique -v --verbose -h --help --host-only --method --include --exclude --no-resources -p --port --bind --host -t --timeout --no-https --insecure' ;;
    *) : ;;
  esac
}

_onager_siege_config() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then :; return; fi
  case "$cur" in
    -*) _onager_words '-h --help' ;;
    *) : ;;
  esac
}

_onager_bombardment() {
  local cur option joined lead
  COMPREPLY=()
  if _onager_is_past_dashes; then
    while [[ ${COMP_WORDS[0]} != -- ]]; do
      COMP_WORDS=("${COMP_WORDS[@]:1}")
      COMP_CWORD=$((COMP_CWORD - 1))
    done
    _onager_siege
    return
  fi
  _onager_start
  case "$option$joined" in
    -t | --time | -t= | --time=) return ;;
    -r | --reps | -r= | --reps=) return ;;
    --csv | --csv=) _onager_files; return ;;
  esac
  case "$cur" in
    -*) _onager_words '-t --time -r --reps --csv -h --help' ;;
    *) _onager_files ;;
  esac
}

_onager_siege2csv() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_files; return; fi
  case "$option$joined" in
    -o | --output | -o= | --output=) _onager_files; return ;;
  esac
  case "$cur" in
    -*) _onager_words '-o --output -h --help' ;;
    *) _onager_files ;;
  esac
}

_onager_completions() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_words 'bash zsh fish'; return; fi
  case "$cur" in
    -*) _onager_words '-h --help' ;;
    *) _onager_words 'bash zsh fish' ;;
  esac
}

_onager_man() {
  local cur option joined lead
  COMPREPLY=()
  _onager_start
  if _onager_is_past_dashes; then _onager_words 'siege siegerc urls.txt ab siege.config bombardment siege2csv onager onager-record onager-run onager-report'; return; fi
  case "$cur" in
    -*) _onager_words '-h --help' ;;
    *) _onager_words 'siege siegerc urls.txt ab siege.config bombardment siege2csv onager onager-record onager-run onager-report' ;;
  esac
}

_onager() {
  local cur option joined lead
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _onager_start
    _onager_words 'run siege ab report serve record siege.config bombardment siege2csv completions man --help --version'
    return
  fi
  COMP_WORDS=("${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  case "${COMP_WORDS[0]}" in
    run) _onager_run ;;
    siege) _onager_siege ;;
    ab) _onager_ab ;;
    report) _onager_report ;;
    serve) _onager_serve ;;
    record) _onager_record ;;
    siege.config) _onager_siege_config ;;
    bombardment) _onager_bombardment ;;
    siege2csv) _onager_siege2csv ;;
    completions) _onager_completions ;;
    man) _onager_man ;;
  esac
}

complete -F _onager_siege siege
complete -F _onager_ab ab
complete -F _onager_siege_config siege.config
complete -F _onager_bombardment bombardment
complete -F _onager_siege2csv siege2csv
complete -F _onager onager
