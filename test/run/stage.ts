/** What a stage of `npm test` came to. */
export interface StageResult {
  passed: number;
  failed: number;
  /** What a person reads about it. */
  output: string;
}

export interface StageOptions {
  /** Only tests whose full title matches this. */
  grep?: string | undefined;
  /** Names every test, not only the failing ones. */
  verbose: boolean;
  /** What the inputs of properties are made from; without it they are new in each run. */
  seed?: number;
  /** Whether the stage was asked for by its name, and not only because all were. */
  isNamed?: boolean;
}

export interface Stage {
  name: string;
  run(options: StageOptions): Promise<StageResult>;
}

/** A check that counts as one: it passes if it found nothing to say against. */
export function checkResult(objections: string): StageResult {
  const passed = objections === '';
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, output: objections };
}
