import Foundation

/// The demo's page and its worker, as a site would write them but for the person who clicks.
enum DemoPage {
    static func worker(_ settings: DemoSite.Settings) -> String {
        "importScripts('\(settings.server)/webpush/worker.js');\n"
    }

    static func html(_ settings: DemoSite.Settings) throws -> String {
        let options = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        return """
            <!doctype html>
            <meta charset="utf-8">
            <title>Transit</title>
            <script src="\(settings.server)/webpush/martlet.js"></script>
            <script>
            const martlet = new Martlet(\(options.replacing("<", with: "\\u003c")));
            \(script)
            </script>

            """
    }

    private static let script = """
        const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
        const report = (kind, texts = []) => fetch('/report', { method: 'POST', body: JSON.stringify({ kind, texts }) });
        // Nobody is there to click.
        Object.defineProperty(navigator, 'userActivation', { value: { isActive: true } });
        // Firefox never answers a subscription that is asked for before it has reached its push service: the page begins
        // again, and waits longer.
        const timeout = Number(sessionStorage.getItem('timeout') ?? 3000);
        const again = setTimeout(() => {
          sessionStorage.setItem('timeout', 2 * timeout);
          location.reload();
        }, timeout);
        (async () => {
          const state = await martlet.subscribe();
          clearTimeout(again);
          if (state !== 'granted') throw new Error(`notifications are ${state}`);
          await report('subscribed');
          const worker = await navigator.serviceWorker.ready;
          for (;;) {
            const shown = await worker.getNotifications();
            if (shown.length) return await report('shown', shown.map((notification) => notification.title));
            await pause(100);
          }
        })().catch((error) => {
          clearTimeout(again);
          report('failed', [String(error.message ?? error)]);
        });
        """
}
