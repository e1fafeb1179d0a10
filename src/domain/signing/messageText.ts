import { hexToBytes, size } from 'viem'
import type { Hex } from '../token/token.ts'
import { digestBytes, isDigestText } from './digest.ts'

export type MessageText =
  | { kind: 'text'; text: string }
  /** 32 bytes, raw or as text: may be the digest of something else. */
  | { kind: 'hash'; text: string }
  | { kind: 'bytes'; text: string }

export function readMessage(message: Hex): MessageText {
  const text = toText(message)
  const isHash = size(message) === digestBytes || (text !== undefined && isDigestText(text))
  if (isHash) return { kind: 'hash', text: text ?? message }
  return text === undefined ? { kind: 'bytes', text: message } : { kind: 'text', text }
}

/** A zero byte marks binary data. */
function toText(message: Hex): string | undefined {
  const bytes = hexToBytes(message)
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
