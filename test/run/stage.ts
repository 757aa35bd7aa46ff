export interface StageResult {
  passed: number;
  failed: number;
  output: string;
}

export interface StageOptions {
  grep?: string | undefined;
  verbose: boolean;
  /** Seed of properties' inputs; random by default. */
  seed?: number;
  /** True if the stage was named on the command line. */
  isNamed?: boolean;
}

export interface Stage {
  name: string;
  run(options: StageOptions): Promise<StageResult>;
}

/** A check that counts as one test: it passes without objections. */
export function checkResult(objections: string): StageResult {
  const passed = objections === '';
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, output: objections };
}
