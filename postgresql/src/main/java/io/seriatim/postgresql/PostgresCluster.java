package io.seriatim.postgresql;

import io.seriatim.postgresql.Rows.DamagedRowException;
import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes and leases of a schema. */
final class PostgresCluster implements ClusterStore {

    private final Database database;
    private final Gate gate = new Gate();

    PostgresCluster(Database database) {
        this.database = database;
    }

    @Override
    public Rows read() {
        return database.read(gate, connection -> {
            List<NodeRow> nodes = new ArrayList<>();
            Map<String, Duration> silences = new HashMap<>();
            List<LeaseRow> leases = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(ClusterSql.READ);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    if (row.getInt("application") == 0) {
                        nodes.add(node(row));
                        silences.put(row.getString("node"), Duration.ofMillis(row.getLong("silence_millis")));
                    } else {
                        leases.add(lease(row));
                    }
                }
            }
            return new Rows(nodes, silences, leases);
        });
    }

    private static NodeRow node(ResultSet row) throws SQLException, DamagedRowException {
        try {
            return new NodeRow(
                    row.getString("node"),
                    row.getString("url"),
                    row.getLong("beat_or_epoch"),
                    Duration.ofMillis(row.getLong("lease_or_revision")));
        } catch (IllegalArgumentException e) {
            throw new DamagedRowException(e);
        }
    }

    private static LeaseRow lease(ResultSet row) throws SQLException, DamagedRowException {
        try {
            return new LeaseRow(
                    new PartitionKey(row.getInt("application"), row.getInt("partition")),
                    row.getString("node"),
                    row.getLong("beat_or_epoch"),
                    row.getLong("lease_or_revision"));
        } catch (IllegalArgumentException e) {
            throw new DamagedRowException(e);
        }
    }

    @Override
    public void write(NodeRow node) {
        int unused = database.call(
                gate,
                connection -> update(
                        connection,
                        ClusterSql.WRITE_NODE,
                        parameters -> parameters
                                .text(node.node())
                                .text(node.url())
                                .number(node.beat())
                                .number(node.lease().toMillis())));
    }

    @Override
    public void remove(String node, long beat) {
        int unused = database.call(
                gate,
                connection -> update(
                        connection,
                        ClusterSql.REMOVE_NODE,
                        parameters -> parameters.text(node).number(beat)));
    }

    @Override
    public Outcome write(LeaseRow lease) {
        boolean first = lease.revision() == 1;
        return database.write(
                gate,
                connection -> {
                    int written = update(
                            connection, first ? ClusterSql.INSERT_LEASE : ClusterSql.UPDATE_LEASE, parameters -> {
                                parameters
                                        .text(lease.owner())
                                        .number(lease.epoch())
                                        .number(lease.revision())
                                        .number(lease.key().application())
                                        .number(lease.key().partition());
                                if (!first) {
                                    parameters.number(lease.revision() - 1);
                                }
                            });
                    return written == 1 ? Outcome.APPLIED : Outcome.REFUSED;
                },
                unknown -> Outcome.UNKNOWN);
    }

    private static int update(Connection connection, String sql, PostgresEventLog.Filling filling) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            filling.fill(new Parameters(statement));
            return statement.executeUpdate();
        }
    }

    /** Refuses new calls and waits for those under way. */
    void close() {
        shut(database.callBound());
    }

    /** Refuses new calls, and waits at most so long. */
    void shut(Duration wait) {
        gate.shut(wait);
    }
}
