type CleanUp = () => Promise<void>;

const cleanUps = new Set<CleanUp>();

export function onTestsEnd(cleanUp: CleanUp): void {
  cleanUps.add(cleanUp);
}

export async function testsEnded(): Promise<void> {
  await Promise.all([...cleanUps].map((cleanUp) => cleanUp()));
}
