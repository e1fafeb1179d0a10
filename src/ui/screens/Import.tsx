import { useState } from 'preact/hooks'
import { plural, t } from '../../language/translate.ts'
import { Choice } from '../parts/Choice.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { NewPassword } from '../parts/NewPassword.tsx'
import { Page } from '../parts/Page.tsx'
import { useStores, useTask } from '../use.ts'

const blank = (count: number) => Array.from({ length: count }, () => '')

/** A wallet from its phrase. The words live in password fields: browsers write plain text fields to disk (docs/security.md, Keys). */
export function Import({ onBack }: { onBack(): void }) {
  const { account } = useStores()
  const [words, setWords] = useState(() => blank(12))
  const [wrong, setWrong] = useState<number[]>([])
  const [password, setPassword] = useState<string | undefined>()

  const bring = useTask(async () => {
    if (password === undefined) return
    const unknown = await account.unknownWords(words)
    setWrong(unknown)
    if (unknown.length === 0) await account.importPhrase(password, words.join(' '))
  })

  const setWord = (index: number, word: string) => {
    setWords(words.map((one, at) => (at === index ? word.trim().toLowerCase() : one)))
    setWrong(wrong.filter((at) => at !== index))
  }

  /** A pasted phrase is laid over the cells from here on; more than 12 words make it a grid of 24. */
  const paste = (event: ClipboardEvent, index: number) => {
    const pasted = (event.clipboardData?.getData('text') ?? '').trim().toLowerCase().split(/\s+/)
    if (pasted.length < 2) return
    event.preventDefault()
    const grid = index + pasted.length > 12 && words.length === 12 ? [...words, ...blank(12)] : [...words]
    for (const [offset, word] of pasted.entries()) {
      if (index + offset < grid.length) grid[index + offset] = word
    }
    setWords(grid)
    setWrong([])
  }

  const isFull = words.every((word) => word !== '')
  return (
    <form
      class="fill"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        if (isFull && password !== undefined) bring.run()
      }}
    >
      <Page
        title={t('Recovery phrase')}
        onBack={onBack}
        foot={
          <button class="main" type="submit" disabled={!isFull || password === undefined || bring.isRunning}>
            {bring.isRunning ? t('Importing…') : t('Import')}
          </button>
        }
      >
        <p class="dim">{t('Paste it into any cell, or type word by word.')}</p>
        <Choice
          legend={t('Length')}
          options={[
            { value: 12, label: t('12 words') },
            { value: 24, label: t('24 words') },
          ]}
          value={words.length}
          onChange={(count) => setWords([...words, ...blank(12)].slice(0, count))}
        />
        <div class="words">
          {words.map((word, index) => (
            <label key={index} class="word" data-wrong={wrong.includes(index)}>
              <span class="num">{index + 1}</span>
              <input
                type="password"
                aria-label={t('Word {number}', { number: index + 1 })}
                aria-invalid={wrong.includes(index)}
                autocomplete="off"
                value={word}
                onInput={(event) => setWord(index, event.currentTarget.value)}
                onPaste={(event) => paste(event, index)}
              />
            </label>
          ))}
        </div>
        <p class="line line-bad" role="alert">
          {sayWrong(wrong)}
        </p>
        <NewPassword onChange={setPassword} />
        {bring.error &&
          (bring.error.code === 'invalid-input' ? (
            <div class="note note-bad" role="alert">
              <p>
                <strong>{t('These words do not make a phrase.')}</strong>{' '}
                {t('Check their order and each word.')}
              </p>
            </div>
          ) : (
            <ErrorNote error={bring.error} />
          ))}
      </Page>
    </form>
  )
}

function sayWrong(wrong: number[]): string {
  if (wrong.length === 0) return ''
  const numbers = wrong.map((index) => index + 1).join(', ')
  return plural(wrong.length, 'Word {numbers} is in no phrase.', 'Words {numbers} are in no phrase.', {
    numbers,
  })
}
