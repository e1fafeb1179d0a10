// What follows the form is one chunk of the build (Home.tsx): what these screens share would otherwise be fetched with the form.
export { Allowances } from './allowances/AllowancesScreen.tsx'
export { Review } from './swap/review/ReviewScreen.tsx'
export { Progress } from './swap/SwapProgress.tsx'
