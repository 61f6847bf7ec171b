import GRDB
import MartletStore

@testable import MartletSQLite

extension Store {
    /// GRDB's connections, for tests that look at the database itself or damage it.
    var sqlite: any DatabaseWriter { (database as! SQLiteDatabase).database }
}

extension Transaction {
    /// GRDB's connection.
    var sqlite: Database { (connection as! MartletSQLite.SQLiteConnection).database }
}
