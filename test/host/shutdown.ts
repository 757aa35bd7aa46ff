type CleanUp = () => Promise<void> | void;

const cleanUps = new Set<CleanUp>();
let listening = false;

/** Runs at SIGINT, SIGTERM or SIGHUP, the last registered first. @returns a function that removes it */
export function onShutdown(cleanUp: CleanUp): () => void {
  if (!listening) listen();
  cleanUps.add(cleanUp);
  return () => cleanUps.delete(cleanUp);
}

function listen(): void {
  listening = true;
  let ending = false;
  const end = (code: number) => {
    // npm passes on a Ctrl-C that the terminal has also sent here.
    if (ending) return;
    ending = true;
    void shutDown().finally(() => process.exit(code));
  };
  for (const [signal, code] of [
    ['SIGHUP', 129] as const,
    ['SIGINT', 130] as const,
    ['SIGTERM', 143] as const,
  ]) {
    process.on(signal, () => end(code));
  }
  // npm passes a signal only to the shell in between, which ends without notifying its child.
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent) end(143);
  }, 500).unref();
}

async function shutDown(): Promise<void> {
  for (const cleanUp of [...cleanUps].toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      console.error(error);
    }
  }
}
