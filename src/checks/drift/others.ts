// Other products that documentation speaks of: the commands of operating systems and common tools, whose options and variables are
// theirs.

const commands: ReadonlySet<string> = new Set(
  (
    'git npm npx yarn pnpm bun node deno pip pip3 pipx python python3 poetry conda virtualenv cargo rustc rustup go gofmt ruby gem bundle ' +
    'bundler rake rails docker podman kubectl helm terraform ansible vagrant brew apt apt-get dpkg yum dnf apk pacman snap choco winget ' +
    'scoop curl wget ssh scp rsync tar zip unzip gzip make cmake gcc clang g++ ld java javac mvn gradle dotnet msbuild nuget php composer ' +
    'perl swift xcodebuild systemctl service journalctl launchctl crontab sudo su chmod chown mkdir rm cp mv ln ls cat grep egrep rg sed ' +
    'awk find xargs sort head tail tee echo printf export source env set cd touch kill pkill ps top psql mysql sqlite3 redis-cli mongo ' +
    'openssl gpg nginx apache2 httpd vim vi nano emacs code gh glab aws gcloud az heroku vercel netlify tsc eslint prettier jest vitest mocha ' +
    'webpack rollup vite esbuild babel pytest tox nox mypy ruff black flake8 pylint sphinx-build mkdocs hugo jekyll pre-commit gdb lldb ' +
    'valgrind strace perf powershell pwsh cmd bash zsh fish sh'
  ).split(' '),
)
/** Variables that many programs read. */
const variables: ReadonlySet<string> = new Set(
  (
    'PATH HOME USER SHELL LANG LC_ALL TERM EDITOR VISUAL PAGER TMPDIR TEMP PWD LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH PYTHONPATH ' +
    'PYTHONHOME VIRTUAL_ENV NODE_ENV NODE_OPTIONS NODE_PATH GOPATH GOROOT GOFLAGS JAVA_HOME RUSTFLAGS RUST_LOG RUST_BACKTRACE CARGO_HOME ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME NO_COLOR ' +
    'FORCE_COLOR CI GITHUB_TOKEN GITHUB_ACTIONS AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY DISPLAY RAILS_ENV RACK_ENV ' +
    'BUNDLE_GEMFILE GEM_HOME DJANGO_SETTINGS_MODULE DATABASE_URL DOCKER_HOST KUBECONFIG'
  ).split(' '),
)
export function isOfOthers(text: string): boolean {
  return variables.has(text)
}

/** The command of which a line of code gives the option: the first word after a prompt, `sudo`, a pipe or `&&`. */
export function commandBefore(line: string, index: number): string | undefined {
  const part =
    line
      .slice(0, index)
      .split(/&&|\|\||[|;`]/)
      .at(-1) ?? ''
  return /^\s*(?:[$>#%]\s+)?(?:sudo\s+)?(?:\w+=\S*\s+)*([\w./-]+)/.exec(part)?.[1]?.split('/').at(-1)
}

export function isCommandOfOthers(command: string): boolean {
  return commands.has(command)
}
