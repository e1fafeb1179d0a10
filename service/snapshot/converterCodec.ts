import type { Converter, ConverterForm, ConverterState } from '../pools/converterState.ts'
import {
  addressWords,
  readHex,
  readInteger,
  readList,
  readWord,
  type WordReader,
  type WordWriter,
  writeHex,
  writeInteger,
  writeWord,
} from './wordCodec.ts'

/** In files and shared memory a form is its index: append only. */
const converterForms = ['vault', 'wsteth', 'psm'] as const

export const converterCodec = {
  writeFixed(out: WordWriter, { form, isOneWay, unit, parties }: Converter): void {
    writeWord(out, converterForms.indexOf(form) * 2 + Number(isOneWay))
    writeInteger(out, unit)
    writeWord(out, parties.length)
    for (const party of parties) writeHex(out, party, addressWords)
  },

  readFixed(from: WordReader): Converter {
    const head = readWord(from)
    const form = converterForms[head >>> 1] as ConverterForm
    const unit = readInteger(from)
    const parties = readList(readWord(from), from, () => readHex(from, addressWords))
    return { form, isOneWay: (head & 1) === 1, unit, parties }
  },

  writeState(out: WordWriter, { rates, maxSold, maxBought }: ConverterState): void {
    for (const value of [...rates, ...maxSold, ...maxBought]) writeInteger(out, value)
  },

  readState(from: WordReader): ConverterState {
    const pair = () => [readInteger(from), readInteger(from)] as const
    return { rates: pair(), maxSold: pair(), maxBought: pair() }
  },
}
