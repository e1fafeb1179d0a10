import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv, toJson } from '../../../src/domain/activity/activityExport.ts'
import {
  account,
  dai,
  failed,
  friend,
  hash,
  incoming,
  nameOf,
  sending,
  swap,
  transfer,
  unreadable,
  usdc,
} from '../../helpers/samples/activitySamples.ts'

/** Without evidence of a transaction. */
const unseen = { from: undefined, hash: undefined, block: undefined } as unknown as object

const header =
  'time,chainId,account,kind,state,sent,sentToken,sentTokenAddress,received,receivedToken,receivedTokenAddress,' +
  'counterparties,site,networkFee,transactions,blocks,error,id'

describe('CSV export', () => {
  it('writes one line per activity with exact amounts, ISO times and CRLF line ends', () => {
    expect(toCsv([swap(), transfer], nameOf)).toBe(
      [
        header,
        `2026-11-22T23:30:00.000Z,1,${account},swap,done,1.5,DAI,${dai},1.499999,USDC,${usdc},,,0.000021,${hash('1')},77,,${'01'.repeat(16)}`,
        `2026-11-23T00:30:00.000Z,10,${account},send,done,12.345678,USDC,${usdc},,,,${friend},,0,${hash('2')},,,${'02'.repeat(16)}`,
        '',
      ].join('\r\n'),
    )
    expect(toCsv([], nameOf)).toBe(`${header}\r\n`)
  })

  it('writes an incoming transfer with sender, transaction and block, as far as they are known', () => {
    const [, line, other] = toCsv([incoming, { ...incoming, ...unseen }], nameOf).split('\r\n')
    expect(line).toBe(
      `2026-11-24T09:15:00.000Z,1,${account},receive,done,,,,2.5,USDC,${usdc},${friend},,,${hash('5')},81,,${'05'.repeat(16)}`,
    )
    expect(other).toBe(
      `2026-11-24T09:15:00.000Z,1,${account},receive,done,,,,2.5,USDC,${usdc},,,,,,,${'05'.repeat(16)}`,
    )
    expect(JSON.parse(toJson([incoming], nameOf))).toMatchObject([
      { kind: 'receive', received: '2.5', counterparties: friend, blocks: '81' },
    ])
  })

  it('writes the tokens of a failed activity without amounts', () => {
    const [, line = ''] = toCsv([swap({ outcome: failed('reverted') })], nameOf).split('\r\n')
    expect(line.split(',').slice(3, 11)).toEqual(['swap', 'failed', '', 'DAI', dai, '', 'USDC', usdc])
    expect(line).toContain(',reverted,')
  })

  it('writes the moved amounts and the state of a swap below its minimum', () => {
    const [, line = ''] = toCsv([swap({ outcome: { status: 'below-minimum', received: 0n } })], nameOf).split(
      '\r\n',
    )
    const cells = line.split(',')
    expect(cells.slice(3, 6)).toEqual(['swap', 'below-minimum', '1.5'])
    expect(cells[8]).toBe('0')
    expect(cells.at(-2)).toBe('below-minimum')
  })

  it('writes only state, error and id of an unreadable record', () => {
    const [, line = ''] = toCsv([unreadable], nameOf).split('\r\n')
    expect(line).toBe(`,,,,failed,,,,,,,,,,,,record-damaged,${'03'.repeat(16)}`)
  })

  it('writes base units for a token without metadata', () => {
    expect(toCsv([transfer], () => undefined)).toContain(`,12345678,,${usdc},`)
  })

  const named = (symbol: string) => () => ({ symbol, name: '', decimals: 6 })

  it.each([
    ['=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
    ['+1', "'+1"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `"'\tx"`],
    [' =1', " '=1"],
    ['＝1', "'＝1"],
    ['A;=1', `"A;'=1"`],
    ['A\n@B', `"A\n'@B"`],
    ['A,"-1', `"A,""'-1"`],
    ['A,B', '"A,B"'],
    ['A\nB', '"A\nB"'],
    ['say "x"', '"say ""x"""'],
    ['plain', 'plain'],
  ])('writes a token called %j as %s', (symbol, cell) => {
    expect(toCsv([transfer], named(symbol))).toContain(`,12.345678,${cell},${usdc},`)
  })

  it('preserves any text apart from apostrophes and never writes a formula', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (symbol, site) => {
        const asked = sending(
          {},
          { origin: site, purpose: { kind: 'transfer', token: usdc, to: friend, amount: 1n } },
        )
        const [, cells = []] = readCsv(toCsv([asked], named(symbol)))
        expect(cells).toHaveLength(header.split(',').length)
        const bare = (text = '') => text.replaceAll("'", '')
        expect([cells[6], cells[12]].map(bare)).toEqual([symbol, site].map(bare))
        // Some locales split cells at semicolons; quotes count only at a cell's start.
        const pieces = [6, 12].flatMap((at) => (cells[at] ?? '').split(/[;,|\t\r\n]/))
        for (const piece of pieces) {
          if (!/^-?\d+(\.\d+)?$/.test(piece)) expect(piece).not.toMatch(/^[ "]*[=+\-@]/)
        }
      }),
      { seed: 7 },
    )
  })
})

describe('JSON export', () => {
  it('writes the same values keyed by column name', () => {
    const [one] = JSON.parse(toJson([swap()], nameOf))
    expect(Object.keys(one).join(',')).toBe(header)
    expect(one).toMatchObject({ time: '2026-11-22T23:30:00.000Z', sent: '1.5', received: '1.499999' })
    expect(JSON.parse(toJson([], nameOf))).toEqual([])
  })
})

function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === ',') {
      rows.at(-1)!.push(cell)
      cell = ''
    } else if (char === '\r' && text[at + 1] === '\n') {
      rows.at(-1)!.push(cell)
      cell = ''
      rows.push([])
      at++
    } else cell += char
  }
  return rows
}
