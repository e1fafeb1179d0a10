import { useState } from 'preact/hooks'
import { plural, t } from '../../../i18n/translate.ts'
import { FormPage } from '../../components/FormPage.tsx'
import { RadioGroup } from '../../components/fields/RadioGroup.tsx'
import { useMutation } from '../../hooks/data/useMutation.ts'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import type { ImportFormProps } from './importMethods.ts'
import { PhraseInputs } from './PhraseInputs.tsx'
import { fillWords, formatWrongWords, lengths, resizeWords } from './phraseInputs.ts'

export function ImportPhrase({ onBrought, isBusy = false, error, ...page }: ImportFormProps) {
  const { account } = useStores()
  const [words, setWords] = useState(() => resizeWords([], 12))
  const [checked, setChecked] = useState<string[]>([])
  const [tooMany, setTooMany] = useState(0)

  // By word: cells may change during the lookup.
  const findUnknown = async (cells: string[]): Promise<ReadonlySet<string>> => {
    const found = await account.unknownWords(cells)
    return new Set(found.map((index) => cells[index] ?? ''))
  }
  // Even during an earlier lookup.
  const lookup = useQuery(() => (checked.length > 0 ? findUnknown(checked) : undefined), [checked])
  const unknown = useLatest(lookup.value)
  const lay = useMutation(async (index: number, text: string) => {
    const pasted = await account.splitPhrase(text)
    const laid = fillWords(words, index, pasted)
    setTooMany(laid === undefined ? pasted.length : 0)
    if (laid === undefined) return
    setWords(laid)
    setChecked(laid)
  })
  const read = useMutation(async () => {
    setChecked(words)
    if ((await findUnknown(words)).size > 0) return
    onBrought({ kind: 'phrase', secret: await account.readPhrase(words.join(' ')) })
  })

  const wrong = words.flatMap((word, index) => (word !== '' && unknown?.has(word) ? [index] : []))
  const isFull = words.every((word) => word !== '')
  const busy = read.isRunning || isBusy
  return (
    <FormPage
      title={t('Recovery phrase')}
      isReady={isFull && !busy}
      onSubmit={() => read.run()}
      error={read.error ?? lay.error ?? lookup.error ?? error}
      {...page}
    >
      <p class="dim">{t('Paste the whole phrase, or type it word by word.')}</p>
      <RadioGroup
        legend={t('Number of words')}
        options={lengths.map((value) => ({ value, label: String(value) }))}
        value={words.length}
        onChange={(length) => setWords(resizeWords(words, length))}
      />
      <PhraseInputs
        words={words}
        wrong={wrong}
        onWord={(index, word) => {
          setWords(words.map((one, at) => (at === index ? word : one)))
          setTooMany(0)
        }}
        onPaste={lay.run}
        onLeave={() => setChecked(words)}
      />
      <p class="line line-bad" role="alert">
        {tooMany > 0
          ? plural(
              tooMany,
              'You entered {count} word. A recovery phrase has 12, 15, 18, 21 or 24.',
              'You entered {count} words. A recovery phrase has 12, 15, 18, 21 or 24.',
            )
          : formatWrongWords(wrong)}
      </p>
    </FormPage>
  )
}
