// Builds the file system of the image with the steps of the Dockerfile, without a container engine: every stage is a
// layer over the system of this machine, which stands for the base image, and every step runs in it by chroot. Needs
// root and overlayfs. What it writes about a step goes to standard error.

import { dirname } from 'node:path'
import type { Instruction } from './dockerfile.ts'

export type Places = {
  /** The files that COPY takes from. */
  readonly context: string
  /** A folder on disk; what the stages hold below /opt goes there. */
  readonly disk: string
  /** The Node.js of the base image. */
  readonly node: string
}

export type Image = {
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
  /** Runs a command in the finished image, as its user and with its environment. */
  readonly enter: (args: readonly string[]) => string
}

type Stage = { readonly root: string; workdir: string; user: string; env: Record<string, string> }

/** The shell script that builds it, and what the image runs. The script mounts: give it a mount namespace of its own. */
export function toBuild(instructions: readonly Instruction[], places: Places): { script: string; image: Image } {
  const layers = '/run/docent-image'
  const script = ['set -euo pipefail', `mkdir -p ${layers}`, `mount -t tmpfs docent-image ${layers}`]
  const stages = new Map<string, Stage>()
  let stage: Stage = { root: '', workdir: '/', user: 'root', env: {} }
  const image = {
    entrypoint: [] as readonly string[],
    cmd: [] as readonly string[],
    healthcheck: [] as readonly string[],
  }
  for (const step of instructions) {
    switch (step.kind) {
      case 'from':
        if (!step.image.startsWith('node:24-')) throw new Error(`The base image is not Node.js 24: ${step.image}`)
        stage = { root: `${layers}/${step.stage}/root`, workdir: '/', user: 'root', env: {} }
        stages.set(step.stage, stage)
        script.push(...startStage(`${layers}/${step.stage}`, `${places.disk}/${step.stage}`, places.node))
        break
      case 'workdir':
        stage.workdir = step.text
        script.push(`mkdir -p ${quote(stage.root + stage.workdir)}`)
        break
      case 'user':
        stage.user = step.text
        break
      case 'env':
        Object.assign(stage.env, step.variables)
        break
      case 'run':
        script.push(`echo ${quote(`RUN ${step.text}`)} >&2`, `${enter(stage, ['sh', '-c', step.text])} >&2`)
        break
      case 'copy': {
        const from = step.from === undefined ? places.context : stages.get(step.from)?.root
        const to = `${stage.root}${step.to.startsWith('/') ? '' : stage.workdir}/${step.to}`
        // COPY takes the contents of a folder.
        for (const source of step.sources) {
          const path = quote(`${from}/${source}`)
          script.push(
            `if [ -d ${path} ]; then mkdir -p ${quote(to)}; cp -r ${path}/. ${quote(to)}; else mkdir -p ${quote(to.endsWith('/') ? to : dirname(to))}; cp ${path} ${quote(to)}; fi`,
          )
        }
        break
      }
      case 'entrypoint':
      case 'cmd':
      case 'healthcheck':
        image[step.kind] = step.args
        break
    }
  }
  const last = stage
  const finished = { entrypoint: [...image.entrypoint, ...image.cmd], healthcheck: image.healthcheck }
  return { script: script.join('\n'), image: { ...finished, enter: (args) => enter(last, args) } }
}

function startStage(layer: string, disk: string, node: string): readonly string[] {
  const root = `${layer}/root`
  return [
    `mkdir -p ${layer}/upper ${layer}/work ${root} ${quote(disk)}`,
    `mount -t overlay docent-image -o lowerdir=/,upperdir=${layer}/upper,workdir=${layer}/work ${root}`,
    `mount --bind ${quote(disk)} ${root}/opt`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    // The base image has its Node.js, and the user `node`.
    `rm -f ${root}/usr/local/bin/docent && install ${quote(node)} ${root}/usr/local/bin/node`,
    `chroot ${root} sh -c 'id -u node >/dev/null 2>&1 || useradd --non-unique --uid 1000 --user-group --create-home node'`,
  ]
}

function enter({ root, workdir, user, env }: Stage, args: readonly string[]): string {
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const variables = [path, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const inside = ['env', '-i', ...variables, 'sh', '-c', 'cd "$0" && exec "$@"', workdir, ...args]
  return ['chroot', `--userspec=${user}`, root, ...inside].map(quote).join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
