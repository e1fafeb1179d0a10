import { expect, it } from 'vitest'
import { createLog, type LogOptions } from '../../service/log.ts'

function start(options: LogOptions = {}) {
  const lines: string[] = []
  const log = createLog({ ...options, to: { write: (line) => lines.push(line) } })
  return { log, lines, read: () => lines.map((line) => JSON.parse(line)) }
}

it('writes one line of JSON per event', () => {
  const { log, lines, read } = start()
  log.info({ status: 200 }, 'request')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/\n$/)
  expect(read()[0]).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    pid: process.pid,
    status: 200,
    msg: 'request',
  })
})

it('omits events below its level', () => {
  const { log, read } = start({ level: 'warn' })
  log.debug('a')
  log.info('b')
  log.warn('c')
  log.error('d')
  expect(read().map(({ msg }) => msg)).toEqual(['c', 'd'])
  const silent = start({ level: 'silent' })
  silent.log.error('e')
  expect(silent.lines).toEqual([])
})

it('redacts the RPC URL and its credentials', () => {
  const rpcUrl = 'https://operator:pass-canary@node.example/v2/path-canary?token=query-canary'
  const { log, lines } = start({ rpcUrl })
  log.warn({ fault: `POST ${rpcUrl} failed` }, 'x')
  log.warn({ fault: 'POST /v2/path-canary?token=query-canary failed' }, 'x')
  log.warn({ fault: 'pass-canary' }, 'x')
  expect(lines.join()).not.toContain('canary')
  expect(lines.join()).toContain('POST … failed')
})
