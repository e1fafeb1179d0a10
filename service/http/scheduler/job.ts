import type { Client } from './fairQueue.ts'

/** `begin` is called when the answer is made for this job, not for an equal one. */
export type Job = Client & { question: string; block: string; begin(): void }

/** Answers a job, or passes it on. */
export type Step<Answer> = (job: Job, next: (job: Job) => Promise<Answer>) => Promise<Answer>
