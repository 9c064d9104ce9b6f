// Builds the file systems of the image with the steps of the Dockerfile, without a container engine: every step that writes is a
// layer of overlayfs, and every command runs in them by chroot. Needs root. What a step prints goes to standard error.

import { dirname, posix } from 'node:path'
import type { Instruction } from './dockerfile.ts'

export type Places = {
  /** The files that COPY takes from. */
  readonly context: string
  /** The Node.js of the base image. */
  readonly node: string
  /** The root of Debian. Undefined: the system of this machine stands for it. */
  readonly debian: string | undefined
}

export type Stage = {
  /** The folders of its layers, the newest first; the last is the base. */
  readonly layers: readonly Layer[]
  readonly workdir: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly cmd: readonly string[]
  readonly healthcheck: readonly string[]
}

export type Layer = { readonly folder: string; readonly step: string }

const work = '/run/docent-image'

/** The shell script that builds them, and the stages. The script mounts: give it a mount namespace of its own. */
export function toBuild(
  instructions: readonly Instruction[],
  places: Places,
): { readonly script: string; readonly stages: ReadonlyMap<string, Stage> } {
  const script = [
    'set -euo pipefail',
    `mkdir -p ${work}`,
    // On disk, overlayfs may have no layers on a system that is such a layer itself.
    `mount -t tmpfs -o size=6g docent-image ${work}`,
    ...prepareNode(places),
    ...prepareMachine,
  ]
  const stages = new Map<string, Stage>()
  let name = ''
  const change = (changes: Partial<Stage>): void => void stages.set(name, { ...current(), ...changes })
  const current = (): Stage => stages.get(name) ?? start([])
  const write = (step: string, commands: (root: string) => readonly string[]): void => {
    const layer = { folder: `${work}/${name}-${current().layers.length}`, step }
    script.push(...writeLayer(layer.folder, current(), commands))
    change({ layers: [layer, ...current().layers] })
  }
  for (const step of instructions) {
    switch (step.kind) {
      case 'from':
        name = step.stage
        stages.set(name, stages.get(step.image) ?? start(toBase(step.image, places)))
        break
      case 'workdir':
        change({ workdir: step.text })
        write(`WORKDIR ${step.text}`, (root) => [`mkdir -p ${quote(root + step.text)}`])
        break
      case 'user':
        change({ user: step.text })
        break
      case 'volume':
        change({ volumes: [...current().volumes, step.text] })
        break
      case 'env':
        change({ env: { ...current().env, ...step.values } })
        break
      case 'label':
        change({ labels: { ...current().labels, ...step.values } })
        break
      case 'run':
        write(`RUN ${step.text}`, (root) => [
          `echo ${quote(`RUN ${step.text}`)} >&2`,
          ...mountKernel(root),
          `${enter(root, withNetwork(current()), ['sh', '-c', step.text])} >&2`,
        ])
        break
      case 'copy': {
        const from = step.from === undefined ? undefined : (stages.get(step.from) ?? fail(step.from))
        const to = posix.resolve(current().workdir, step.to)
        const text = `COPY ${step.sources.join(' ')} ${step.to}`
        write(text, (root) => copy(step.sources, from ?? places.context, `${root}${to}`, step.to.endsWith('/')))
        break
      }
      case 'entrypoint':
      case 'cmd':
      case 'healthcheck':
        change({ [step.kind]: step.args })
        break
      case 'expose':
      case 'stopsignal':
    }
  }
  return { script: script.join('\n'), stages }
}

function fail(stage: string): never {
  throw new Error(`There is no stage ${stage}.`)
}

function start(layers: readonly Layer[]): Stage {
  const nothing = { volumes: [], env: {}, labels: {}, entrypoint: [], cmd: [], healthcheck: [] }
  return { layers, workdir: '/', user: '0:0', ...nothing }
}

/** The files that an image of Node.js adds to Debian, as far as the Dockerfile uses them. Its npm is the one of this machine. */
function prepareNode({ node }: Places): readonly string[] {
  const to = `${work}/node/usr/local`
  return [`mkdir -p ${to}/bin`, `install ${quote(node)} ${to}/bin/node`, `touch ${to}/LICENSE`]
}

/** A system of which nobody has taken the user's number. */
const prepareMachine: readonly string[] = [
  `mkdir -p ${work}/machine/etc`,
  ...['passwd', 'group'].map((file) => `grep -v ':1000:' /etc/${file} > ${work}/machine/etc/${file}`),
]

function toBase(image: string, { debian }: Places): readonly Layer[] {
  const machine = ['machine', 'system'].map((name) => ({
    folder: name === 'system' ? '/' : `${work}/machine`,
    step: name,
  }))
  if (image.startsWith('node:24-trixie')) return [{ folder: `${work}/node`, step: 'node' }, ...machine]
  if (image !== 'debian:trixie-slim') throw new Error(`The base image is not known: ${image}`)
  return debian === undefined ? machine : [{ folder: debian, step: image }]
}

function writeLayer(folder: string, { layers }: Stage, commands: (root: string) => readonly string[]): string[] {
  const lower = layers.map((layer) => layer.folder).join(':')
  const [upper, scratch, root] = [folder, `${folder}.work`, `${folder}.root`]
  return [
    `mkdir ${upper} ${scratch} ${root}`,
    `mount -t overlay docent-image -o lowerdir=${lower},upperdir=${upper},workdir=${scratch} ${root}`,
    ...commands(root),
    `umount --recursive --lazy ${root}`,
  ]
}

/** The shared memory of this machine is not theirs. */
function mountKernel(root: string): readonly string[] {
  return [
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `mount --make-rslave ${root}/dev`,
    `mount -t tmpfs -o mode=1777 docent-shm ${root}/dev/shm`,
  ]
}

/** COPY takes the contents of a folder. */
function copy(sources: readonly string[], from: Stage | string, to: string, isFolder: boolean): readonly string[] {
  const place = typeof from === 'string' ? from : `${work}/from`
  const target = quote(to)
  const copies = sources.map((source) => {
    const path = quote(posix.join(place, source))
    const file = `mkdir -p ${quote(isFolder ? to : dirname(to))}; cp --preserve=mode,timestamps ${path} ${target}`
    return `if [ -d ${path} ]; then mkdir -p ${target}; cp -r --preserve=mode,timestamps,links ${path}/. ${target}; else ${file}; fi`
  })
  if (typeof from === 'string') return copies
  return [`mkdir -p ${place}`, mountLayers(from, place), ...copies, `umount ${place}`]
}

function mountLayers({ layers }: Stage, root: string): string {
  return `mount -t overlay docent-image -o ro,lowerdir=${layers.map(({ folder }) => folder).join(':')} ${root}`
}

/** Mounts the finished stage to read only, with its volumes and /tmp from a folder, and returns its root. */
export function mountReadOnly(stage: Stage, name: string): { readonly script: string; readonly root: string } {
  const root = `${work}/${name}.run`
  const script = [
    `mkdir ${root}`,
    mountLayers(stage, root),
    ...mountKernel(root),
    `mount -t tmpfs -o mode=1777 docent-tmp ${root}/tmp`,
    ...stage.volumes.flatMap((volume) => [
      `if [ ! -d ${work}/volumes${volume} ]; then mkdir -p ${work}/volumes; cp -a ${root}${volume} ${work}/volumes${volume}; fi`,
      `mount --bind ${work}/volumes${volume} ${root}${volume}`,
    ]),
  ]
  return { script: script.join('\n'), root }
}

/** Runs a command as the user of the stage, without any capability, in its environment. */
export function enterAsUser(root: string, stage: Stage, args: readonly string[]): string {
  const [uid = '', gid = uid] = stage.user.split(':')
  const limits = ['--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all']
  return enter(root, stage, args, ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...limits])
}

/** The settings of this machine with which npm reaches its registry; an engine gives its own to a build. */
function withNetwork(stage: Stage): Stage {
  const settings = Object.entries(process.env).filter(([name]) =>
    /^(?:NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy)$/i.test(name),
  )
  return { ...stage, env: { ...stage.env, ...(Object.fromEntries(settings) as Record<string, string>) } }
}

function enter(root: string, { workdir, env }: Stage, args: readonly string[], before: readonly string[] = []): string {
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const variables = [path, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const inside = ['env', '-i', ...variables, 'sh', '-c', 'cd "$0" && exec "$@"', workdir, ...args]
  return ['chroot', root, ...before, ...inside].map(quote).join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
