import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { openPort } from '../../dev/port.ts'
import { type RedisServer, startRedis } from '../../dev/redis.ts'
import { slow } from '../helpers/slow.ts'

slow('Follows the container file: builds the service, and runs two of it with Redis.')

const root = resolve(import.meta.dirname, '../..')
const deploy = join(root, 'service/deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

type Instruction = { name: string; text: string }

/** The stages of a container file, each with its instructions. */
const stages = read('Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Instruction => {
    const [name = ''] = line.split(' ', 1)
    return { name, text: line.slice(name.length + 1) }
  })
  .reduce<Instruction[][]>((all, one) => {
    if (one.name === 'FROM') all.push([])
    all.at(-1)?.push(one)
    return all
  }, [])

const place = mkdtempSync(join(tmpdir(), 'sluice-container-'))
/** The folder that stands for a path within a stage. */
const within = (stage: number, path: string) => join(place, String(stage), path)
const listOf = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]
const textOf = (stage: number, name: string) => stages[stage]?.find((one) => one.name === name)?.text ?? ''

/** Patterns that the ignore file lets through; `COPY` sees only tracked files here. */
const shown = read('Dockerfile.dockerignore')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
const tracked = execFileSync('git', ['ls-files', '--', ...shown], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** Builds as the container file says; the packages are those of this checkout. */
function build(): void {
  let folder = '/'
  for (const { name, text } of stages[0] ?? []) {
    if (name === 'WORKDIR') folder = text
    if (name === 'COPY') {
      const places = text.split(' ')
      const to = places.at(-1) ?? ''
      for (const from of places.slice(0, -1)) {
        const files = tracked.filter((file) => file === from || file.startsWith(`${from}/`))
        expect(files, from).not.toEqual([])
        for (const file of files) {
          const inFolder = to === './' ? file : join(to, file.slice(from.length))
          copy(join(root, file), within(0, join(folder, inFolder)))
        }
      }
    }
    if (name !== 'RUN') continue
    if (text === 'npm ci --ignore-scripts') {
      symlinkSync(join(root, 'node_modules'), within(0, join(folder, 'node_modules')))
      continue
    }
    const command = text.replaceAll(/ (\/\S+)/g, (_, path) => ` ${within(0, path)}`)
    const done = spawnSync(command, { shell: true, cwd: within(0, folder), encoding: 'utf8' })
    expect(done.status, done.stderr).toBe(0)
  }
  for (const { name, text } of stages[1] ?? []) {
    const [, from = '', to = ''] = name === 'COPY' ? text.split(' ') : []
    if (from !== '') copy(within(0, from), within(1, to))
  }
}

type Compose = {
  services: Record<string, { command: string[]; environment: Record<string, string | null>; ports: string[] }>
}

let localnet: Localnet
let redis: RedisServer
const running: ChildProcess[] = []
const compose = parse(read('compose.yaml'), { merge: true }) as Compose
const hosts = Object.keys(compose.services).filter((name) => name.startsWith('service-'))

beforeAll(async () => {
  build()
  redis = await startRedis()
  localnet = await createLocalnet()
})
afterAll(async () => {
  for (const child of running) {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  await localnet.stop()
  await redis.stop()
  rmSync(place, { recursive: true })
})

/** Runs a service of the compose file with its own command, in a folder of its own. */
async function run(name: string): Promise<{ root: string; said: () => string }> {
  const { command, environment } = compose.services[name] as Compose['services'][string]
  const port = await openPort(0)
  const given: Record<string, string> = { CHAIN: '31337', SLUICE_RPC_URL: localnet.rpcUrl }
  const filled = (text: string) => text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, key) => given[key] ?? '')
  const data = join(place, name)
  mkdirSync(data)
  const [program = '', ...args] = [...listOf(textOf(1, 'ENTRYPOINT')), ...command].map((argument) =>
    filled(argument).replace('redis://redis:6379', redis.url),
  )
  const paths = args.map((argument) => {
    if (argument === '/pools') return data
    return argument.startsWith('/') ? within(1, argument) : argument
  })
  const own = Object.entries(environment).flatMap(([key, value]) => (value ? [[key, filled(value)]] : []))
  const child = spawn(program, [...paths, '--port', String(port)], {
    ...{ cwd: data, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { PATH: process.env.PATH, ...Object.fromEntries(own) },
  })
  running.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  await expect.poll(() => said, { timeout: 60_000 }).toContain('Serving chain 31337 at http://0.0.0.0:')
  return { root: `http://127.0.0.1:${port}`, said: () => said }
}

it('serves from two containers, of which one reads the chain, and tells Prometheus', async () => {
  expect(hosts).toEqual(['service-1', 'service-2'])
  const services = await Promise.all(hosts.map(run))
  const { USDC, WETH } = localnet.tokens
  const answers: unknown[] = []
  for (const { root } of services) {
    await expect.poll(async () => (await fetch(`${root}/ready`)).status, { timeout: 60_000 }).toBe(200)
    const quote = await fetch(`${root}/v6.1/31337/quote?src=${USDC}&dst=${WETH}&amount=1000000`)
    answers.push(await quote.json())
    const metrics = await fetch(`${root}/metrics`)
    expect(await metrics.text()).toMatch(/^sluice_requests_total\{/m)
  }
  expect(answers[0]).toEqual({ dstAmount: expect.stringMatching(/^[1-9]\d+$/) })
  expect(answers[1]).toEqual(answers[0])
  const readers = services.filter(({ said }) => said().includes('this host reads the chain for all'))
  expect(readers).toHaveLength(1)

  // The health check of the container file, at the port of this run.
  const [node = '', ...args] = listOf(textOf(1, 'HEALTHCHECK'))
  const at = (root: string) => args.map((text) => text.replaceAll('http://127.0.0.1:8787', root))
  expect(spawnSync(node, at(services[0]?.root ?? '')).status).toBe(0)
  expect(spawnSync(node, at('http://127.0.0.1:1')).status).toBe(1)
})

describe('files of a deployment', () => {
  it('publish ports on this machine only, and scrape every host at its port', () => {
    const exposed = textOf(1, 'EXPOSE')
    for (const { ports } of Object.values(compose.services)) {
      for (const port of ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
    }
    const ports = hosts.map((name) => compose.services[name]?.ports.map((port) => port.split(':').at(-1)))
    expect(ports).toEqual(hosts.map(() => [exposed]))
    const { scrape_configs: jobs } = parse(read('prometheus.yml'))
    const targets = jobs.flatMap((job: { static_configs: { targets: string[] }[] }) =>
      job.static_configs.flatMap(({ targets }) => targets),
    )
    expect(targets).toEqual(hosts.map((name) => `${name}:${exposed}`))
  })

  it('run without root in the container, and with a data folder that its user owns', () => {
    const names = (stages[1] ?? []).map(({ name, text }) => `${name} ${text}`)
    expect(names).toContain('USER node')
    expect(names.indexOf('RUN mkdir /pools && chown node:node /pools')).toBeLessThan(
      names.indexOf('USER node'),
    )
    expect(names).toContain('VOLUME /pools')
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  it.skipIf(!hasSystemd)('are a valid systemd unit, of low exposure', () => {
    const unit = join(place, 'sluice@8453.service')
    writeFileSync(unit, read('sluice@.service'))
    const checked = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect({ ...checked, said: checked.stdout + checked.stderr }).toMatchObject({ status: 0, said: '' })
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])
    expect(rated.status).toBe(0)
  })
})
