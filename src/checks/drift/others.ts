// Other products that documentation speaks of: the commands of operating systems and common tools, whose options and variables are
// theirs, and the dependencies that the manifests of a source name.

import { termKeys } from '../../docs-syntax/terms/term-keys.ts'

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
const manifest =
  /(?:^|\/)(?:package\.json|Cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.(?:txt|in)|Pipfile|go\.mod|Gemfile|[^/]+\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.csproj|mix\.exs|pubspec\.yaml)$/i
/** Names as manifests write them: keys, entries of lists, modules. */
const named = /["'(\s/>]?(@?[A-Za-z][\w.-]{2,60}(?:\/[\w.-]{2,60})*)["')<]?\s*(?:[:=,;)\]]|v?\d|[<>=~^!]|$)/gm

export function isManifest(path: string): boolean {
  return manifest.test(path)
}

const shortestWord = 4
/** Manifests that are programs, of which only texts name dependencies: the `self` of `def finalize(self)` is not one. */
const program = /\.(?:py|rb|gemspec|gradle|kts|exs)$|(?:^|\/)Gemfile$/i
const quoted = /["']([@A-Za-z][\w./@-]{2,80})\s*(?:["']|[<>=~^!;[ ])/g

/** The keys of all names in a manifest, also those of its own fields: too many keep a finding back, and too few do not. */
export function dependenciesIn(path: string, text: string): string[] {
  return namesIn(path, text).flatMap((name) => {
    const { whole, segments } = termKeys(name)
    return [whole, segments.at(-1) ?? whole]
  })
}

/** The words of dependencies such as `kramdown-syntax-coderay`, of which one is often that of its options: `coderay_wrap`. */
export function dependencyWordsIn(path: string, text: string): string[] {
  return namesIn(path, text)
    .filter((name) => /^[a-z]+(?:-[a-z]+)+$/.test(name))
    .flatMap((name) => name.split('-'))
    .filter((word) => word.length >= shortestWord)
}

function namesIn(path: string, text: string): string[] {
  return Array.from(text.matchAll(program.test(path) ? quoted : named), ({ 1: name = '' }) => name)
}

/** The keys that may name a package in `acme.pages.Page` and `@acme/pages`: parts from the first one on. */
export function packageKeysOf(text: string): string[] {
  const { whole, segments } = termKeys(text)
  return [whole, ...segments.map((_, at) => segments.slice(0, at + 1).join(''))]
}

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
