// The web servers of the guide, with the configuration of the guide around a folder of HTML. Each runs until it is closed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { snippets } from './guide.ts'
import { nextBin, type Recipe } from './sites.ts'

export type Served = { readonly close: () => Promise<void> }

/** `html`: the folder to serve. `own`: one for files of the server. */
export type ServerOf = (recipe: Recipe, html: string, own: string) => Promise<Served>

/** A free port now: a server that is started for it soon will most likely get it. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export const nginx: ServerOf = ({ proxy, origin, policy }, html, own) =>
  startNginx(origin, own, [
    `root ${html};`,
    `add_header Content-Security-Policy "${policy}" always;`,
    'location / { try_files $uri $uri/index.html $uri.html =404; }',
    proxy(snippets('nginx')[0] ?? ''),
  ])

async function startNginx(origin: string, own: string, lines: readonly string[]): Promise<Served> {
  const file = join(own, 'nginx.conf')
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${own}/${name};`)
  const server = `server { listen ${new URL(origin).host};\n${lines.join('\n')}\n}`
  const http = `http { include /etc/nginx/mime.types; access_log off; ${kept.join(' ')}\n${server}\n}`
  const global = `daemon off; master_process off; pid ${own}/pid; error_log stderr; events {}`
  await writeFile(file, `${global}\n${http}\n`)
  return serve(origin, spawn('nginx', ['-e', 'stderr', '-c', file, '-p', own], { stdio: 'ignore' }))
}

export const caddy: ServerOf = async ({ proxy, origin, policy }, html, own) => {
  const file = join(own, 'Caddyfile')
  await writeFile(
    file,
    `{
	admin off
	auto_https off
}
${origin} {
	root * ${html}
	header Content-Security-Policy "${policy}"
${proxy(snippets('Caddy')[0] ?? '')}
	handle {
		try_files {path} {path}/index.html {path}.html
		file_server
	}
}
`,
  )
  await mkdir(join(own, 'caddy'), { recursive: true })
  const env = { ...process.env, XDG_DATA_HOME: join(own, 'caddy'), XDG_CONFIG_HOME: join(own, 'caddy') }
  return serve(origin, spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' }))
}

/** With nginx in front of it. */
export const next: ServerOf = async ({ origin }, folder, own) => {
  const behind = `http://127.0.0.1:${await findPort()}`
  const args = [nextBin, 'start', '--hostname', '127.0.0.1', '--port', new URL(behind).port]
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const server = await serve(behind, spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' }))
  const front = (snippets('Next.js as the server')[1] ?? '').replace('http://127.0.0.1:3000', behind)
  const proxy = await startNginx(origin, own, [front])
  return {
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}

const attempts = 300

async function serve(origin: string, child: ChildProcess): Promise<Served> {
  const exit = once(child, 'exit')
  for (let left = attempts; ; left--) {
    const isUp = await fetch(origin).then(
      async (response) => (await response.text()) !== undefined,
      () => false,
    )
    if (isUp) break
    if (left === 0 || child.exitCode !== null) throw new Error(`${child.spawnfile} does not serve ${origin}`)
    await delay(100)
  }
  return {
    close: async () => {
      child.kill()
      await exit
    },
  }
}
