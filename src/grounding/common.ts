// Names that belong to no product, or to another one than that of the documentation: commands of operating systems, words of
// languages, and names that an example makes up. Pure.

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Commands of operating systems and of tools that most projects use: what follows them is theirs. */
const commands = words(`
  alias apk apt apt-get ansible awk aws az base64 bash bat bazel bower brew bun bundle bunx cabal cargo cat cd chgrp chmod chown
  choco chsh clang cmake cmd code composer conda cp crontab curl cut date deno df diff dig dir dnf docker docker-compose dotnet
  du echo emacs env eval exec exit export fd file find fish flatpak gcc gcloud gem gh git glab go gofmt gpg gradle grep gunzip
  gzip head helm help hg hostname htop http iex ifconfig iptables java javac journalctl jq kill killall kubectl ldd less lerna
  ln locate ls lsof make man md5sum minikube mkdir mvn mv nano nc netsh netstat nginx nix nix-env node nohup npm npx nvm nx
  openssl pacman passwd patch pdm perl php ping pip pip3 pipenv pipx pkg pkill pnpm podman poetry popd powershell printf ps
  psql pushd pwd pwsh py python python2 python3 rake read redis-cli reg rm rmdir rsync ruby rustc rustup scp screen sed
  service set setx sh sha256sum shasum snap sort source sqlite3 ssh ssh-add ssh-keygen strace su sudo svn swift systemctl tail
  tar tee terraform test time tmux touch tr trap tree type ulimit umask uname uniq unset unzip useradd uv uvx vagrant vi vim
  virtualenv wc wget where where.exe which whoami winget xargs xcode-select xcodebuild yarn yay yum zip zsh zypper
`)

/** The product may follow one of these: `npx acme serve`. */
const runners = words(
  'sudo npx bunx uvx pipx time env exec nohup poetry bundle uv pnpm yarn bun deno python python3 node',
)
const runnerWords = words('run exec dlx x -m -- -y --yes')

/** Words and names that languages, systems and standards have. */
const known = words(`
  true false null nil none None True False undefined NaN void never any unknown string number boolean bigint symbol object
  int integer float double char byte bytes str bool list dict tuple set map array Array Object String Number Boolean Function
  Symbol Promise Map Set Date RegExp Error TypeError JSON Math console window document process module exports require global
  globalThis self this super new return if else for while do switch case break continue function class const let var def fn
  func async await yield import export from as default try catch except finally raise throw throws with in is not and or
  public private protected static final abstract interface implements extends enum struct impl trait type pub mut use mod
  GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE HTTP HTTPS TCP UDP TLS SSL SSH FTP DNS URL URI UTF-8 utf-8 utf8 ASCII
  JSON YAML TOML XML HTML CSS CSV SQL Markdown UUID GUID MIME Content-Type Content-Length Authorization Bearer Accept
  User-Agent Cookie Set-Cookie Cache-Control ETag Location Host Origin Referer text/html text/plain application/json
  PATH HOME USER SHELL TERM LANG LC_ALL TMPDIR TEMP TMP PWD EDITOR VISUAL PAGER APPDATA LOCALAPPDATA USERPROFILE
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy CI DEBUG
  NODE_ENV NODE_OPTIONS PYTHONPATH VIRTUAL_ENV GOPATH GOROOT JAVA_HOME CARGO_HOME RUSTUP_HOME GITHUB_TOKEN DISPLAY
  localhost 127.0.0.1 0.0.0.0 stdin stdout stderr root sudo admin
  README README.md LICENSE package.json package-lock.json tsconfig.json node_modules .gitignore .env .npmrc .bashrc .zshrc
  .profile .bash_profile Dockerfile docker-compose.yml Makefile requirements.txt pyproject.toml setup.py setup.cfg Cargo.toml
  Cargo.lock go.mod go.sum Gemfile Gemfile.lock composer.json yarn.lock pnpm-lock.yaml index.html index.js main.py
  push pop shift unshift slice splice concat join split map filter reduce forEach find findIndex some every includes indexOf
  startsWith endsWith replace replaceAll trim toString toISOString toUpperCase toLowerCase toFixed keys values entries
  then catch finally resolve reject all race log warn error info debug length append extend insert items format strip
  encode decode lower upper startswith endswith read write close open get post put exit env argv cwd parse stringify
  addEventListener removeEventListener setTimeout setInterval clearTimeout fetch createElement querySelector
  unwrap expect clone to_string into iter collect Println Printf Sprintf Errorf
  --help --version --verbose --quiet --force --yes --debug --dry-run -h -v -V -y -f -q
`)

/** Names that an example makes up. */
const madeUp =
  /^(?:my|your|our|some)(?:$|[A-Z_-])|^(?:xxx+|yyy+|abc|xyz)$|(?:^|[^a-z]|[a-z](?=[A-Z]))(?:foo|bar|baz|qux|acme|example|dummy|fake|hello|path\/to|johndoe|alice)(?:$|[^a-z])|^(.)\1*$/i
/** `Ctrl-a`, `Alt+Left`, `C-S-esc`. */
const keys = /^(?:(?:Ctrl|Control|Alt|Shift|Cmd|Command|Meta|Super|Option|Win|[CAMS])[-+])+\S+$/i
const extension = /^\.\w{1,10}$/
const address = /^[\d.:]+(?:\/\d+)?$/
const commit = /^(?=.*\d)[\da-f]{7,40}$/

const systemPath =
  /^(?:\/(?:dev|etc|usr|bin|sbin|tmp|var|opt|home|proc|sys|root|mnt|Users|Applications|Library)(?:\/|$)|~\/\.(?:ssh|config|local|cache|bashrc|zshrc|profile)(?:$|\/$))/

/** Whether nothing of the product need have this name. */
export function isCommon(text: string): boolean {
  if (known.has(text) || commands.has(text) || isMadeUp(text)) return true
  return [systemPath, keys, extension, address, commit].some((form) => form.test(text))
}

export function isMadeUp(text: string): boolean {
  return madeUp.test(text)
}

/**
 * The part of a command line that is about the product: undefined if another program reads all of it. `own`: names of the
 * product, which may be in the list.
 */
export function ownCommand(line: string, own: ReadonlySet<string>): string | undefined {
  const parts = line.trimStart().split(/\s+/)
  let at = 0
  while (at < parts.length) {
    const part = parts[at] ?? ''
    if (own.has(part)) return parts.slice(at).join(' ')
    if (/^[A-Z_]+=/.test(part) || part === '$' || part === '>') at += 1
    else if (runners.has(part) && at < parts.length - 1) {
      at += 1
      while (runnerWords.has(parts[at] ?? '')) at += 1
      if (commandsAfter.has(parts[at] ?? '')) return undefined
    } else break
  }
  const first = parts[at] ?? ''
  return commands.has(first) && parts.length > 1 ? undefined : line
}

/** These follow a runner as words of its own. */
const commandsAfter = words(
  'add install remove update upgrade init create publish build pip sync tool lock config cache why list',
)
