import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { buildService } from '../../../scripts/serviceBuild.mjs'
import { slow } from '../../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

const descriptors = 512
const attackers = 640

let localnet: Localnet
let service: ChildProcess
let root: URL
const folder = mkdtempSync(join(tmpdir(), 'sluice-flood-'))
const sockets = new Set<Socket>()
let isAttacking = false

beforeAll(async () => {
  buildService()
  localnet = await createLocalnet()
  const config = join(folder, 'localnet.json')
  writeFileSync(config, JSON.stringify(localnet.config))
  const options = ['--chain', '31337', '--rpc', localnet.rpcUrl, '--port', '0', '--config', config]
  const command = [process.execPath, 'scripts/service.mjs', ...options, '--data', folder]
  service = spawn('sh', ['-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command, '--log', 'warn'])
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (text) => (output += text))
  const address = /Serving chain 31337 at (http:\/\/127\.0\.0\.1:\d+)/
  await vi.waitUntil(() => address.test(output), { timeout: 250_000 })
  root = new URL(address.exec(output)?.[1] ?? '')
})
afterAll(async () => {
  isAttacking = false
  for (const socket of sockets) socket.destroy()
  const ended = new Promise((resolve) => service.once('close', resolve))
  service.kill('SIGKILL')
  await ended
  await localnet.stop()
  rmSync(folder, { recursive: true })
})

const halves = [
  '',
  'G',
  'GET /health HTTP/1.1\r\nHost: a\r\n',
  'GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx',
  'GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nx',
  'GET /health HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(12),
]

/** Never closes its half. When the service closes, every second attacker reconnects. */
function attack(number: number): void {
  if (!isAttacking) return
  const localAddress = `127.0.0.${2 + (number % 8)}`
  const socket = connect({ host: root.hostname, port: Number(root.port), localAddress, allowHalfOpen: true })
  sockets.add(socket)
  socket.write(halves[number % halves.length] ?? '')
  socket.on('error', () => undefined)
  socket.once('end', () => number % 2 === 0 && socket.destroy())
  socket.once('close', () => {
    sockets.delete(socket)
    setTimeout(attack, 1_000, number)
  })
  if (number % halves.length !== halves.length - 1) socket.resume()
}

function ask(path: string): Promise<number | string> {
  return new Promise((resolve) => {
    const request = get(new URL(path, root), { agent: false, timeout: 20_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('timeout', () => request.destroy(new Error('timeout')))
    request.once('error', ({ message }) => resolve(message))
  })
}

const openDescriptors = () => readdirSync(`/proc/${service.pid}/fd`).length

it('answers other clients during a flood of incomplete requests, and closes the flooding connections', async () => {
  const before = openDescriptors()
  isAttacking = true
  for (let i = 0; i < attackers; i++) attack(i)
  await new Promise((resolve) => setTimeout(resolve, 2_000))

  const { USDC, WETH } = localnet.tokens
  const answers: (number | string)[] = []
  for (let i = 0; i < 20; i++) {
    answers.push(await ask('/health'))
    answers.push(await ask(`/v6.1/31337/quote?src=${USDC}&dst=${WETH}&amount=${1_000_000 + i}`))
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  expect(answers).toEqual(Array.from({ length: 40 }, () => 200))
  expect(openDescriptors()).toBeLessThan(descriptors)

  // Answered connections may stay idle longer.
  isAttacking = false
  const idle = Math.ceil(attackers / halves.length)
  await expect.poll(openDescriptors, { timeout: 100_000, interval: 500 }).toBeLessThan(before + idle + 10)
  expect(await ask('/health')).toBe(200)
}, 300_000)
