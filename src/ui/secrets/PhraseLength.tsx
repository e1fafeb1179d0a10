import { t } from '../../i18n/translate.ts'
import { RadioGroup } from '../components/fields/RadioGroup.tsx'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'

/** 128 or 256 bits of entropy. */
type Words = 12 | 24

type Props = { value: Words; onChange(words: Words): void }

/** Survives a closed popup. */
export function usePhraseLength() {
  const { edits, edit, drop } = useUnsavedEdits<{ words: Words }>('phrase-length')
  return {
    words: edits.words ?? 12,
    setWords: (words: Words) => edit({ words }),
    dropWords: () => drop(edits),
  }
}

export function PhraseLength({ value, onChange }: Props) {
  return (
    <RadioGroup<Words>
      legend={t('Recovery phrase length')}
      options={[
        { value: 12, label: t('12 words') },
        { value: 24, label: t('24 words') },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}
