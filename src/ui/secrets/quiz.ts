/** One word of a phrase to be told, by its place counted from zero, among others. */
export type Question = { position: number; choices: string[] }

const asked = 3
const offered = 4

/** Three words of a phrase to be told, in the phrase's order. `draw` gives a whole number from zero to less than `below`. */
export function makeQuiz(phrase: string[], draw: (below: number) => number): Question[] {
  const positions = shuffle([...phrase.keys()], draw).slice(0, asked)
  return positions
    .sort((one, other) => one - other)
    .map((position) => {
      const word = phrase[position] ?? ''
      const others = [...new Set(phrase)].filter((one) => one !== word)
      return { position, choices: shuffle([word, ...shuffle(others, draw).slice(0, offered - 1)], draw) }
    })
}

/** Whether each answer is the word of its place. A phrase may have one word twice. */
export function isRight(phrase: string[], quiz: Question[], answers: Record<number, string>): boolean {
  return quiz.every(({ position }) => answers[position] === phrase[position])
}

/** By the browser's own source of chance: what is asked for cannot be told before. */
export function drawBelow(below: number): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number % below
}

/** Fisher and Yates: each order is as likely as any other. */
function shuffle<Item>(items: Item[], draw: (below: number) => number): Item[] {
  const left = [...items]
  return items.flatMap(() => left.splice(draw(left.length), 1))
}
