import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMessage } from '../../../src/domain/signing/messageText.ts'
import type { Hex } from '../../../src/domain/token/token.ts'
import { splitText } from '../../../src/ui/approvals/sign/HighlightedText.tsx'

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const said = (text: string) => readMessage(hexOf(new TextEncoder().encode(text)))

describe('readMessage', () => {
  it.each(['', 'Hello', 'Grüße\nund 你好 👩‍👧', 'thirty-three letters, not a digest'])(
    'reads %j as text',
    (text) => {
      expect(said(text)).toEqual({ kind: 'text', text })
    },
  )

  it('reads a message as bytes when it is not UTF-8 or contains a zero byte', () => {
    expect(readMessage('0xff00')).toEqual({ kind: 'bytes', text: '0xff00' })
    expect(readMessage('0x410042')).toEqual({ kind: 'bytes', text: '0x410042' })
  })

  it('reads 32 bytes, or text that spells them in hex, as a hash', () => {
    expect(said('exactly thirty-two letters long!').kind).toBe('hash')
    expect(readMessage(`0x${'20'.repeat(32)}`).kind).toBe('hash')
    expect(said('seven umlauts here: ÄÖÜäöü').kind).toBe('hash')
    expect(readMessage(`0x${'ab'.repeat(32)}`).kind).toBe('hash')
    expect(readMessage(`0x${'00'.repeat(31)}01`).kind).toBe('hash')
    expect(said(`0x${'ab'.repeat(32)}`).kind).toBe('hash')
    expect(said(` ${'AB'.repeat(32)}\n`).kind).toBe('hash')
    expect(readMessage(`0x${'ab'.repeat(31)}`).kind).toBe('bytes')
  })

  it('keeps a byte order mark in the text', () => {
    expect(said('\ufeffhi')).toEqual({ kind: 'text', text: '\ufeffhi' })
  })
})

describe('splitText', () => {
  it('marks invisible characters at their position', () => {
    expect(splitText('pay \u202eeno\u200b!')).toEqual([
      { text: 'pay ' },
      { mark: 'U+202E' },
      { text: 'eno' },
      { mark: 'U+200B' },
      { text: '!' },
    ])
    expect(splitText('\u{e0041}')).toEqual([{ mark: 'U+E0041' }])
    expect(splitText('a\rb')).toEqual([{ text: 'a' }, { mark: 'U+000D' }, { text: 'b' }])
  })

  it('leaves line ends, tabs and emoji unmarked', () => {
    const text = 'one\n\ttwo 👩‍👧 ❤️ 👍🏽'
    expect(splitText(text)).toEqual([{ text }])
    expect(splitText('a\r\nb')).toEqual([{ text: 'a\nb' }])
  })

  it('marks a joiner between letters', () => {
    expect(splitText('a\u200db')).toEqual([{ text: 'a' }, { mark: 'U+200D' }, { text: 'b' }])
  })

  it('keeps every character of any text, with CRLF as LF', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const back = splitText(text)
          .map((part) =>
            'text' in part ? part.text : String.fromCodePoint(Number.parseInt(part.mark.slice(2), 16)),
          )
          .join('')
        expect(back).toBe(text.replaceAll('\r\n', '\n'))
      }),
    )
  })
})
